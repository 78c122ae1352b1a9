/** The two ways in which AWS's services are called: JSON with the operation in a header, and a form answered in XML. */
import type { IncomingMessage } from 'node:http';

/** A refusal, as a service words it. */
export class AwsRefusal extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export interface Call {
  service: string;
  region: string;
  operation: string;
  input: Input;
  /** How the answer is to be written. */
  style: 'json' | 'query' | 'ec2';
}

/** The parameters of a call. The services read the properties that they know. */
// biome-ignore lint/suspicious/noExplicitAny: a stand-in for a server reads whatever its clients send
export type Input = any;

/** @throws AwsRefusal if a call is not signed: who asks is unknown */
export async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  // Credential=<key>/<date>/<region>/<service>/aws4_request
  const [, region, service] =
    /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
  if (region === undefined || service === undefined) {
    throw new AwsRefusal('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
  }
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string') {
    return { service, region, operation: target.split('.').at(-1)!, input: JSON.parse(body), style: 'json' };
  }
  const form = new URLSearchParams(body);
  return {
    service,
    region,
    operation: form.get('Action')!,
    input: readForm(form),
    style: service === 'ec2' ? 'ec2' : 'query',
  };
}

/** `Filter.1.Name=x` and `Tags.member.1.Key=y` become lists of objects. */
function readForm(form: URLSearchParams): Input {
  const root: Record<string, unknown> = {};
  for (const [path, value] of form) {
    const steps = path.split('.').filter((step) => step !== 'member');
    let node = root;
    for (const [index, step] of steps.entries()) {
      if (index < steps.length - 1) node[step] ??= {};
      else node[step] = value;
      node = node[step] as Record<string, unknown>;
    }
  }
  return listed(root);
}

function listed(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, listed(value)] as const);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))) return entries.map(([, value]) => value);
  return Object.fromEntries(entries);
}

/** An answer, or a refusal, as the service would write it. */
export function writeReply({ style, operation }: Pick<Call, 'style' | 'operation'>, reply: unknown) {
  const { code: Code, message: Message } = reply instanceof AwsRefusal ? reply : { code: null, message: '' };
  if (style === 'json') {
    const body = Code === null ? (reply ?? {}) : { __type: Code, message: Message };
    return { type: 'application/x-amz-json-1.1', body: JSON.stringify(body) };
  }
  const error = { Error: { Type: 'Sender', Code, Message } };
  const refused = style === 'ec2' ? { Response: { Errors: error } } : { ErrorResponse: error };
  const answered = { [`${operation}Response`]: style === 'ec2' ? reply : { [`${operation}Result`]: reply } };
  return { type: 'text/xml', body: toXml(Code === null ? answered : refused, style === 'ec2' ? 'item' : 'member') };
}

function toXml(value: unknown, item: string): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((each) => `<${item}>${toXml(each, item)}</${item}>`).join('');
  if (typeof value !== 'object') {
    return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  }
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `<${key}>${toXml(each, item)}</${key}>`)
    .join('');
}
