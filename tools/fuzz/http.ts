import { request as requestHttp, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

/** A request as it is sent. */
export interface FuzzRequest {
  /** Default: POST. */
  readonly method?: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly pieces: readonly Buffer[];
}
export interface FuzzReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** In milliseconds: more than the deadlines of the gateway's upstream calls. */
const RESPONSE_MS = 40_000;
/** In milliseconds, of what calls no upstream that can hang. */
export const PROMPT_MS = 30_000;

/** Sends a request over a connection of its own. @param timeout milliseconds until it fails */
export const sendFuzz = (
  url: string,
  { method = 'POST', path, headers, pieces }: FuzzRequest,
  timeout = RESPONSE_MS,
): Promise<FuzzReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = requestHttp({ hostname, port, method, path, headers, agent: false, timeout }, (response) => {
      const chunks: Buffer[] = [];
      const done = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .once('end', done)
        .once('error', done);
    });
    request.once('timeout', () => request.destroy(new Error('no response in time'))).once('error', reject);
    for (const piece of pieces) request.write(piece);
    request.end();
  });

/** The gateway closes the connection under a body that it does not read. */
export const isRefusedBody = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ECONNRESET' || thrown.code === 'EPIPE');

const readErrorMessage = (text: string): string => {
  try {
    const body = JSON.parse(text) as { readonly error?: { readonly message?: unknown } };
    return typeof body.error?.message === 'string' ? body.error.message : '';
  } catch {
    return '';
  }
};

/** What is wrong with the error of a refused request, if anything. */
export function readErrorFlaw({ status, text }: FuzzReply): string | undefined {
  if (status < 400) return undefined;
  const message = readErrorMessage(text);
  if (message === '') return `${status} without an error in its body: ${text.slice(0, 300)}`;
  return /\n\s+at /.test(message) ? `${status} with a stack trace: ${message.slice(0, 300)}` : undefined;
}

/** A response as a gateway with a fault would send it. */
export function plantFault(reply: FuzzReply, number: number, secret: string): FuzzReply {
  const faults: readonly FuzzReply[] = [
    { ...reply, status: 500 },
    { ...reply, status: 404, text: '<h1>Not found</h1>' },
    { ...reply, text: secret },
  ];
  return faults[number % faults.length] ?? reply;
}
