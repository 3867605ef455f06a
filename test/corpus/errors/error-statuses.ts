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
  'interactions': google,
  'embed-content': google,
};

/** The error object; vendors also write the message in its place, or under `detail`. */
const errorOf = ({ response: { body = {} } }: CorpusLine): Json => {
  const { error = body } = body as { readonly error?: Json | string };
  return typeof error === 'string' ? { message: error } : { message: body['detail'], ...error };
};

const isQuota = ({ code, details }: Json): boolean =>
  code === 'insufficient_quota' || JSON.stringify(details ?? null).includes('PerDay');
const isContext = ({ code, type, message }: Json): boolean =>
  code === 'context_length_exceeded' ||
  type === 'too_many_prompt_tokens' ||
  /exceeds the (context window|maximum number of tokens)|maximum context length|prompt too long/.test(String(message));

/** By the status alone, where one has one meaning. */
const kindOfStatus: Readonly<Record<number, Kind>> = {
  401: 'credential',
  402: 'quota',
  403: 'credential',
  404: 'model',
  413: 'rate-limit',
  503: 'overloaded',
  529: 'overloaded',
};

const kindOf = (line: CorpusLine): Kind => {
  const { status, sse = '' } = line.response;
  const error = errorOf(line);
  // xAI sends 400 for a wrong key.
  if (String(error['message']).startsWith('Incorrect API key')) return 'credential';
  if (status === 429) return isQuota(error) ? 'quota' : 'rate-limit';
  const known = kindOfStatus[status];
  if (known !== undefined) return known;
  if (error['code'] === 'model_not_found' || error['message'] === 'The provided model identifier is invalid.')
    return 'model';
  if (sse.includes('overloaded_error')) return 'overloaded';
  if (status >= 500 || status === 200) return 'failure';
  return isContext(error) ? 'context' : 'bad-request';
};

/** The status that a client of this wire must get for a recorded error. */
export const errorStatus = (wire: string, line: CorpusLine): number | undefined => statuses[wire]?.[kindOf(line)];

/** The caller's own fault: a client of the vendor's wire gets the vendor's message. */
export const isCallerFault = (line: CorpusLine): boolean => ['bad-request', 'context'].includes(kindOf(line));

/** A failure of the gateway's account, which is hidden from the caller. */
export const isHiddenFromClient = (line: CorpusLine): boolean => kindOf(line) === 'credential';
