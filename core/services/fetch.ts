import got from 'got';
import type { Fetch } from '../contracts/services.ts';

const ANSWER_BYTES = 1_048_576;

const client = got.extend({ followRedirect: false, throwHttpErrors: false, retry: { limit: 0 }, headers: { 'user-agent': 'koine' } });

/** Calls to services that the operator named: key services, webhooks. */
export const fetchService: Fetch = async (url, { method = 'GET', headers = {}, body, timeoutMs }) => {
  const controller = new AbortController();
  const request = client(url, {
    method,
    headers: { ...headers },
    timeout: { request: timeoutMs },
    signal: controller.signal,
    responseType: 'buffer',
    ...(body === undefined ? {} : { body }),
  });
  void request.on('downloadProgress', ({ transferred }) => {
    if (transferred > ANSWER_BYTES) controller.abort(new Error(`The answer of ${new URL(url).host} is larger than ${ANSWER_BYTES} bytes.`));
  });
  const { statusCode, rawBody } = await request;
  return { status: statusCode, body: rawBody };
};
