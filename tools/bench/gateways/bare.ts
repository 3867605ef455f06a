import { Router } from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { openAsBlob } from 'node:fs';
import { unlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { Agent, FormData } from 'undici';

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
const audio = { authorization: 'Bearer key' };
router.post('/v1/audio/transcriptions', async (context) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(context.request.body as Record<string, string>)) form.append(name, value);
  const file = context.request.files?.['file'];
  const path = Array.isArray(file) || file === undefined ? '' : file.filepath;
  form.append('file', await openAsBlob(path), 'speech.wav');
  const reply = await agent.request({ origin, path: context.path, method: 'POST', headers: audio, body: form });
  context.status = reply.statusCode;
  context.type = String(reply.headers['content-type']);
  context.body = await reply.body.text();
  await unlink(path);
});
const app = new Koa();
const formidable = { maxFileSize: 200 * 1_048_576 };
app.use(koaBody({ jsonLimit: '32mb', multipart: true, formidable })).use(router.routes());
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
