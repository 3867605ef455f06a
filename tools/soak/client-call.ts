import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http';

export interface ClientCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * Milliseconds after the request was written at which the client aborts an unfinished response. Long enough for the
   * request to arrive.
   */
  readonly abortAfter: number | undefined;
}

/** What the client received: a whole response, part of one (`broken`), or none (`lost`). */
export type CallResult =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'lost'; readonly reason: string };

/** Sends a request and discards the body of the response. */
export const call = (agent: Agent, { url, headers, body, abortAfter }: ClientCall): Promise<CallResult> =>
  new Promise((resolve) => {
    let incoming: IncomingMessage | undefined;
    let aborted = false;
    let reason = 'closed';
    const request = requestHttp(url, { method: 'POST', agent, headers }, (response) => {
      incoming = response.resume().once('error', () => {});
    });
    const abort = (): void => {
      aborted = incoming?.complete !== true;
      if (aborted) request.destroy();
    };
    if (abortAfter !== undefined) request.once('finish', () => setTimeout(abort, abortAfter));
    request.once('error', (error) => (reason = error.message));
    request.once('close', () => {
      if (aborted) resolve({ kind: 'aborted' });
      else if (incoming === undefined) resolve({ kind: 'lost', reason });
      else resolve(incoming.complete ? { kind: 'answered', status: incoming.statusCode ?? 0 } : { kind: 'broken' });
    });
    request.end(body);
  });
