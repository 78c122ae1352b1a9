/** Yjs with y-quill as it comes, which keeps header and list as attributes of their own. */
import { yjsClient } from '../yjs/client.ts';
import { STOCK } from '../yjs/document.ts';

export const client = yjsClient('yjs-stock', STOCK);
