import type { AttemptTrail } from '../../../core/dispatch/dispatcher.ts';
import type {
  AttemptRecord,
  ExchangeOf,
  GenerateRequest,
  Reply,
  RequestHead,
  Target,
} from '../../../core/api/index.ts';
import type { Log } from '../../../core/contracts/services.ts';

export const sampleHead: RequestHead = {
  id: 'req_1',
  route: { path: '/v1/chat/completions', operation: 'generate', wire: 'chat-completions' },
  method: 'POST',
  path: '/v1/chat/completions',
  headers: {},
  query: {},
  address: '192.0.2.1',
  startedAt: 0,
  signal: new AbortController().signal,
};

export const sampleRequest: GenerateRequest = {
  wire: 'chat-completions',
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  choices: 1,
  stream: false,
  includeUsage: false,
  extra: { wire: 'chat-completions', members: {} },
};

export const createTarget = (id: string, more: Partial<Target> = {}): Target => ({
  id,
  provider: id.split('/')[0] ?? '',
  model: id.split('/')[1] ?? '',
  endpoint: { wires: [], origin: { provider: 'vendor', family: 'vendor' } },
  credentials: ['key-1'],
  ...more,
});

export const createExchange = (more: Partial<ExchangeOf<'generate'>> = {}): ExchangeOf<'generate'> => ({
  ...sampleHead,
  operation: 'generate',
  caller: { key: 'alice', project: 'web', organization: 'acme', models: [] },
  inbound: { raw: new Uint8Array(), body: {}, headers: {}, query: {} },
  model: 'vendor/model',
  request: sampleRequest,
  framing: 'sse',
  targets: [createTarget('vendor/model')],
  estimate: { inputTokens: 1, declared: true, outputTokens: 1 },
  losses: 'allow',
  attempts: [],
  ...more,
});

export const createReply = (target: Target, more: Partial<Reply> = {}): Reply => ({
  status: 200,
  lane: 'native',
  target,
  losses: [],
  headers: {},
  waitedMs: 0,
  deliver: async () => ({ reason: 'complete', usage: undefined, outputChars: 0 }),
  cancel: () => {},
  ...more,
});

export const sampleRecord: AttemptRecord = {
  target: 'vendor/model',
  credential: 'key-1',
  lane: 'native',
  committed: true,
  status: 200,
  ms: 5,
  losses: [],
};

/** The attempts of an exchange that has just started. */
export const createTrail = (): AttemptTrail => ({
  attempts: [],
  target: undefined,
  provider: undefined,
  reply: undefined,
});

/** A log that keeps its lines. */
export const createLogList = (): Log & {
  readonly lines: { readonly level: string; readonly fields: object; readonly text: string }[];
} => {
  const lines: { level: string; fields: object; text: string }[] = [];
  const keep = (level: string) => (fields: object, text: string) => void lines.push({ level, fields, text });
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
};
