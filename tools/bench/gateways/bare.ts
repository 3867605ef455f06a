import { Router } from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';

/** The yardstick: Koa, router, koa-body and undici, and nothing that a gateway is for. Prints its port. */
const agent = new Agent();
const origin = process.argv[2] ?? '';
const headers = { 'content-type': 'application/json', authorization: 'Bearer key' };
const router = new Router();
router.post(['/v1/chat/completions', '/v1/embeddings'], async (context) => {
  const body = JSON.stringify(context.request.body);
  const reply = await agent.request({ origin, path: context.path, method: 'POST', headers, body });
  context.status = reply.statusCode;
  context.type = String(reply.headers['content-type']);
  reply.body.on('error', () => {});
  context.body = reply.body;
});
const app = new Koa();
app.use(koaBody({ jsonLimit: '32mb' })).use(router.routes());
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
