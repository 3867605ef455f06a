import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedForm {
  readonly path: string;
  readonly length: string | undefined;
  readonly form: FormData;
}

export interface FormVendor {
  readonly url: string;
  readonly received: ReceivedForm[];
  /** How the next calls are answered. A model whose name begins with `down` has a 503. */
  readonly state: { status: number; type: string; body: string };
  stop(): Promise<unknown>;
}

/** A vendor that takes forms, and keeps what it gets. */
export async function startFormVendor(answer: string): Promise<FormVendor> {
  const received: ReceivedForm[] = [];
  const state = { status: 200, type: 'application/json', body: answer };
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(Buffer.concat(chunks), { headers }).formData();
    received.push({ path: request.url ?? '', length: request.headers['content-length'], form });
    const status = String(form.get('model')).startsWith('down') ? 503 : state.status;
    response.writeHead(status, { 'content-type': state.type }).end(status === 200 ? state.body : '{"error":{}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    state,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
