import type { CorpusLine, Json } from '../lines.ts';

/** The kinds of errors, each of which has a status on each wire. */
type Kind = 'bad-request' | 'context' | 'model' | 'credential' | 'quota' | 'rate-limit' | 'overloaded' | 'failure';

type Statuses = Readonly<Record<Kind, number>>;
const openai: Statuses = {
  'bad-request': 400,
  'context': 400,
  'model': 404,
  'credential': 502,
  'quota': 429,
  'rate-limit': 429,
  'overloaded': 503,
  'failure': 502,
};
const anthropic: Statuses = { ...openai, credential: 500, quota: 402, overloaded: 529, failure: 500 };
const google: Statuses = { ...openai, credential: 500, failure: 500 };

/** On responses, a model that does not exist is a bad request. */
const statuses: Readonly<Record<string, Statuses>> = {
  'chat-completions': openai,
  'embeddings': openai,
  'responses': { ...openai, model: 400 },
  'messages': anthropic,
  'generate-content': google,
  'embed-content': google,
};

const errorOf = ({ response }: CorpusLine): Json => {
  const { error } = (response.body ?? {}) as { readonly error?: Json };
  return error ?? {};
};

const isQuota = ({ code, details }: Json): boolean =>
  code === 'insufficient_quota' || JSON.stringify(details ?? null).includes('PerDay');
const isContext = ({ code, message }: Json): boolean =>
  code === 'context_length_exceeded' || /exceeds the (context window|maximum number of tokens)/.test(String(message));

const kindOf = (line: CorpusLine): Kind => {
  const { status, sse = '' } = line.response;
  const error = errorOf(line);
  if (status === 401 || status === 403) return 'credential';
  if (status === 429) return isQuota(error) ? 'quota' : 'rate-limit';
  if (status === 404 || error['code'] === 'model_not_found') return 'model';
  if (status === 503 || status === 529 || sse.includes('overloaded_error')) return 'overloaded';
  if (status >= 500 || status === 200) return 'failure';
  return isContext(error) ? 'context' : 'bad-request';
};

/** The status that a client of this wire must get for a recorded error. */
export const errorStatus = (wire: string, line: CorpusLine): number | undefined => statuses[wire]?.[kindOf(line)];

/** The caller's own fault: a client of the vendor's wire gets the vendor's message. */
export const isCallerFault = (line: CorpusLine): boolean => ['bad-request', 'context'].includes(kindOf(line));

/** A failure of the gateway's account, which is hidden from the caller. */
export const isHiddenFromClient = (line: CorpusLine): boolean => kindOf(line) === 'credential';
