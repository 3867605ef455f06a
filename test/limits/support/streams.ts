import { request as requestHttp } from 'node:http';
import { bodyOf, headersOf } from './limited.ts';

/** A streamed request under way. */
export interface ClientStream {
  readonly status: number | undefined;
  /** The bytes received. */
  readonly text: string;
  readonly over: boolean;
  /** Closes the connection. */
  leave(): void;
}

/** Requests a stream, and does not wait for it. */
export const openStream = (
  url: string,
  key: string,
  more: object = {},
  onData: (stream: ClientStream) => void = () => {},
): ClientStream => {
  let [status, text, over]: [number | undefined, string, boolean] = [undefined, '', false];
  const end = (): void => void (over = true);
  const request = requestHttp(
    `${url}/v1/chat/completions`,
    { method: 'POST', headers: headersOf(key), agent: false },
    (response) => {
      status = response.statusCode;
      response
        .once('end', end)
        .once('error', end)
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk;
          onData(stream);
        });
    },
  );
  request.once('error', end).end(bodyOf({ stream: true, ...more }));
  const stream: ClientStream = {
    get status() {
      return status;
    },
    get text() {
      return text;
    },
    get over() {
      return over;
    },
    leave: () => void request.destroy(),
  };
  return stream;
};
