/** Others' cursors in Quill: its module as it comes, except that names stay in sight. */
import QuillCursors from 'quill-cursors';
import './cursors.css';

export { QuillCursors };
