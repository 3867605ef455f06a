import { request as requestHttp, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { omitUndefined } from '../../core/api/codec.ts';
import { KEY } from './gateway.ts';

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Headers after the body. */
  readonly trailers: NodeJS.Dict<string>;
}
export interface HttpRequest {
  readonly method?: string;
  /** As it goes over the wire: nothing of it is normalised. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Several pieces go out chunked. */
  readonly body?: string | Uint8Array | readonly Uint8Array[];
  readonly ca?: string;
  /** The name that the certificate must have. Default: the host. */
  readonly servername?: string;
}

/** The headers that both wires take. */
export const goodHeaders = {
  authorization: `Bearer ${KEY}`,
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
} as const;

/** One request as it is written, over a connection of its own. */
export const send = (
  url: string,
  { method = 'POST', path, headers = goodHeaders, body, ca, servername }: HttpRequest,
): Promise<HttpReply> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(url);
    const options = omitUndefined({
      hostname,
      port,
      method,
      path,
      headers,
      agent: false as const,
      ca,
      servername,
    });
    const request = (protocol === 'https:' ? requestHttps : requestHttp)(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response
        .once('end', () => {
          const { statusCode: status = 0, headers, trailers } = response;
          resolve({ status, headers, text, trailers });
        })
        .once('error', reject);
    });
    request.once('error', reject);
    if (Array.isArray(body)) {
      for (const piece of body as readonly Uint8Array[]) request.write(piece);
      request.end();
    } else request.end(body as string | Uint8Array | undefined);
  });

export interface ErrorBody {
  readonly type?: string;
  readonly request_id?: string;
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code?: string | null;
    readonly param?: string | null;
  };
}
export const readError = ({ text }: HttpReply): ErrorBody => JSON.parse(text) as ErrorBody;
