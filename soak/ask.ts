import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http';

export interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds after the request was written: the client goes away then, if the answer is not whole. Long enough that the request has arrived. */
  readonly leavesAfter: number | undefined;
}

/** How it went for the client: a whole answer has a status; `broken` had begun; to `lost` there was none. */
export type Experience =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'left' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'lost'; readonly why: string };

/** Reads the answer, and keeps nothing of it. */
export const ask = (agent: Agent, { url, headers, body, leavesAfter }: Question): Promise<Experience> =>
  new Promise((resolve) => {
    let answer: IncomingMessage | undefined;
    let left = false;
    let why = 'closed';
    const request = requestHttp(url, { method: 'POST', agent, headers }, (response) => {
      answer = response.resume().once('error', () => {});
    });
    const leave = (): void => {
      left = answer?.complete !== true;
      if (left) request.destroy();
    };
    if (leavesAfter !== undefined) request.once('finish', () => setTimeout(leave, leavesAfter));
    request.once('error', (error) => (why = error.message));
    request.once('close', () => {
      if (left) resolve({ kind: 'left' });
      else if (answer === undefined) resolve({ kind: 'lost', why });
      else resolve(answer.complete ? { kind: 'answered', status: answer.statusCode ?? 0 } : { kind: 'broken' });
    });
    request.end(body);
  });
