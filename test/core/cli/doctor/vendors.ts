import type { ServerResponse } from 'node:http';
import { answerJson, startUpstream, type TestUpstream, type UpstreamCall } from '../../../support/upstream.ts';

/** A key that the vendor accepts. Each test looks for it in the output. */
export const GOOD = 'sk-good-0123456789abcdef';
export const BAD = 'sk-bad-0123456789abcdef';

const refuse = (response: ServerResponse, status: number, error: object): void =>
  answerJson(response, { error }, status);

const openAiModels = ['gpt-4.1', 'gpt-4.1-2025-04-14', 'gpt-9', 'text-embedding-9', 'tts-9', 'gpt-9-realtime'];

/** `/openai/v1`: the list of OpenAI, and chat completions with its rate limits. */
const answerOpenAi = (response: ServerResponse, { method, path, headers, body }: UpstreamCall): void => {
  if (headers.authorization !== `Bearer ${GOOD}`)
    return refuse(response, 401, {
      message: `Incorrect API key provided: ${headers.authorization?.slice(7)}.`,
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    });
  if (method === 'GET' && path === '/openai/v1/models')
    return answerJson(response, {
      object: 'list',
      data: openAiModels.map((id) => ({
        id,
        object: 'model',
        created: 1_686_588_896,
        owned_by: 'openai',
        shutdown_date: id === 'gpt-4.1' ? '2027-03-31' : null,
      })),
    });
  if (method !== 'POST' || path !== '/openai/v1/chat/completions') return refuse(response, 404, {});
  response.setHeader('x-ratelimit-limit-requests', '500');
  response.setHeader('x-ratelimit-remaining-requests', '499');
  answerJson(response, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: body['model'],
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  });
};

const claudes = ['claude-opus-9', 'claude-sonnet-9', 'claude-haiku-4-5-20251001'].map((id) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: '2026-02-19T00:00:00Z',
  lifecycle: 'active',
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  retires_at: id === 'claude-sonnet-9' ? '2027-05-01T00:00:00Z' : null,
}));

/** `/anthropic`: pages of two models, whatever limit is requested. */
const answerAnthropic = (response: ServerResponse, { method, path, headers }: UpstreamCall): void => {
  const { pathname, searchParams } = new URL(path, 'http://vendor');
  if (headers['x-api-key'] !== GOOD)
    return refuse(response, 401, { type: 'authentication_error', message: 'invalid x-api-key' });
  if (method !== 'GET' || pathname !== '/anthropic/v1/models' || headers['anthropic-version'] === undefined)
    return refuse(response, 404, { type: 'not_found_error', message: 'Not found' });
  const from = claudes.findIndex(({ id }) => id === searchParams.get('after_id')) + 1;
  const data = claudes.slice(from, from + 2);
  answerJson(response, {
    data,
    has_more: from + 2 < claudes.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  });
};

/** `/google`: a bad key gets 400, as at the vendor. */
const answerGoogle = (response: ServerResponse, { method, path, headers }: UpstreamCall): void => {
  const { pathname, searchParams } = new URL(path, 'http://vendor');
  if (headers['x-goog-api-key'] !== GOOD)
    return refuse(response, 400, {
      code: 400,
      message: 'API key not valid. Please pass a valid API key.',
      status: 'INVALID_ARGUMENT',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', 'reason': 'API_KEY_INVALID' }],
    });
  if (method !== 'GET' || pathname !== '/google/v1beta/models') return refuse(response, 404, { code: 404 });
  const isFirst = searchParams.get('pageToken') === null;
  answerJson(response, {
    models: [
      {
        name: isFirst ? 'models/gemini-9-flash' : 'models/gemini-embedding-9',
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: isFirst ? ['generateContent', 'countTokens'] : ['embedContent'],
      },
    ],
    ...(isFirst ? { nextPageToken: 'page-2' } : {}),
  });
};

/** Servers with OpenAI's list: `/plain` with its fields for limits, `/bare` as a list, `/none` without one. */
const answerCompatible = (response: ServerResponse, { path, headers }: UpstreamCall): void => {
  if (path === '/plain/v1/models')
    return answerJson(response, { data: [{ id: 'org/big-9', object: 'model', max_model_len: 32_768 }] });
  if (path === '/bare/v1/models')
    return answerJson(response, [
      { id: 'org/chat-9', type: 'chat', context_length: 8_192 },
      { id: 'org/picture-9', type: 'image' },
    ]);
  if (path === '/keyless/v1/models') return refuse(response, 403, { message: 'Missing scopes: models.read' });
  if (path === '/echo/v1/models')
    return refuse(response, 401, { message: `Unknown team ${String(headers['x-team'])}.` });
  answerJson(response, { detail: 'Not Found' }, 404);
};

/** One server that plays several vendors, by the beginning of the path. It refuses what the vendors refuse. */
export const startVendors = async (): Promise<TestUpstream> => {
  const upstream = await startUpstream();
  upstream.answer = (response, call) => {
    const vendor = call.path.split('/')[1];
    if (vendor === 'openai') return answerOpenAi(response, call);
    if (vendor === 'anthropic') return answerAnthropic(response, call);
    if (vendor === 'google') return answerGoogle(response, call);
    if (vendor === 'slow') return;
    return answerCompatible(response, call);
  };
  return upstream;
};
