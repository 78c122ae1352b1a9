/** Yjs against a server in Python: the client half is that of `yjs`, for it speaks the same protocol. */
import type { FrameworkClient } from '../base/framework.ts';
import { yjsClient } from '../yjs/client.ts';
import { PACKED } from '../yjs/document.ts';

export const client: FrameworkClient = yjsClient('yjs-pycrdt', PACKED);
