import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a token, as it arrived. */
export interface IdentityCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

/** A server that hands out tokens. */
export interface IdentityServer {
  readonly url: string;
  readonly calls: IdentityCall[];
  answer: (call: IdentityCall) => { readonly status: number; readonly body: unknown };
  /** The first answer: `token-1`, `token-2` and so on, for an hour each. */
  readonly handOut: IdentityServer['answer'];
  stop(): Promise<void>;
}

/** A token that looks like one of Microsoft Entra ID: signed tokens begin so. */
export const fakeToken = (name: string): string =>
  `eyJ0eXAiOiJKV1Qi.${Buffer.from(name).toString('base64url')}.c2lnbmF0dXJl`;

export async function startIdentityServer(): Promise<IdentityServer> {
  const calls: IdentityCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const call = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', 'http://identity'),
      headers: request.headers,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
    };
    calls.push(call);
    const { status, body } = identity.answer(call);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const handOut: IdentityServer['answer'] = () => ({
    status: 200,
    body: { token_type: 'Bearer', expires_in: 3_599, access_token: fakeToken(`token-${calls.length}`) },
  });
  const identity: IdentityServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: handOut,
    handOut,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return identity;
}
