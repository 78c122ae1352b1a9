/** What draws others' cursors in Quill: its module as it comes, but for the names, which stay in sight. */
import QuillCursors from 'quill-cursors';
import './cursors.css';

export { QuillCursors };
