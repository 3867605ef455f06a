import type { ServerResponse } from 'node:http';
import { bodyOf, framesOf } from '../../../matrix/interactions/convert.ts';
import { goodDay } from '../../../matrix/sample-bodies.ts';
import { someTokens } from '../../../matrix/wires.ts';
import { textOf } from '../../../matrix/vendors/vendors.ts';
import { answerJson, type UpstreamCall } from '../../../support/upstream.ts';

const PREFIX =
  /^\/(v1|v1beta1)\/projects\/made-up\/locations\/europe-west1\/publishers\/(google|anthropic)\/models\/([^:]+):(\w+)(\?alt=sse)?$/;

const INTERACTIONS =
  /^\/v1beta1\/projects\/made-up\/locations\/europe-west1\/interactions(?:\/(?<id>[^/?]+))?(?:\/cancel)?(?:\?stream=false)?$/;

type Body = Readonly<Record<string, unknown>>;
interface Named {
  readonly version: string;
  readonly publisher: string;
  readonly model: string;
  readonly method: string;
}

/** Google refuses members that it does not know. */
const checkMembers = (body: Body, known: readonly string[]): string | undefined => {
  const unknown = Object.keys(body).find((member) => !known.includes(member));
  return unknown === undefined ? undefined : `Invalid JSON payload received. Unknown name "${unknown}"`;
};

const generateMembers = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings'];
const countMembers = ['contents', 'systemInstruction', 'tools', 'generationConfig'];

const checkContents = ({ contents }: Body): string | undefined =>
  Array.isArray(contents) && contents.every(({ role }: { role?: unknown }) => role === 'user' || role === 'model')
    ? undefined
    : 'Please use a valid role: user, model.';

/** Why Vertex AI would refuse a request. */
const findFault = (
  { publisher, version, model, method }: Named,
  { body, headers }: UpstreamCall,
): string | undefined => {
  if (publisher === 'anthropic') {
    if (version !== 'v1') return `no ${version}`;
    if (body['anthropic_version'] !== 'vertex-2023-10-16') return 'anthropic_version: Field required';
    if (headers['anthropic-version'] !== undefined) return 'anthropic-version is a header';
    if (model === 'count-tokens') return 'model' in body ? undefined : 'model: Field required';
    if ('model' in body) return 'model: Extra inputs are not permitted';
    return (body['stream'] === true) === (method === 'streamRawPredict') ? undefined : 'stream differs from the method';
  }
  if (method === 'predict') return checkMembers(body, ['instances', 'parameters']);
  if (method === 'countTokens') return checkMembers(body, countMembers) ?? checkContents(body);
  return checkMembers(body, generateMembers) ?? checkContents(body);
};

const answerTokens = { input_tokens: 21, totalTokens: 21, totalBillableCharacters: 60 };

const answerPredict = (response: ServerResponse, { body }: UpstreamCall): void => {
  const instances = body['instances'] as readonly object[];
  answerJson(response, {
    predictions: instances.map((_, index) => ({
      embeddings: { values: [0.5, index], statistics: { token_count: 3, truncated: false } },
    })),
    metadata: { billableCharacterCount: 20 },
  });
};

/** Its errors have a word as the code. Some of its models do not stream. */
const answerInteraction = (response: ServerResponse, { body, method }: UpstreamCall, id?: string): void => {
  const { model, stream } = body;
  const fail = (message: string): void => answerJson(response, { error: { message, code: 'invalid_request' } }, 400);
  if (method === 'DELETE') return answerJson(response, {});
  if (id === undefined && !/^gemini-[\w.-]+$/.test(String(model))) return fail(`Invalid model: ${String(model)}`);
  if (stream === true && String(model).startsWith('gemini-omni-')) return fail('Omni does not support streaming.');
  response
    .writeHead(200, { 'content-type': stream === true ? 'text/event-stream' : 'application/json' })
    .end(stream === true ? framesOf(goodDay.google, someTokens).join('') : bodyOf(goodDay.google, someTokens));
};

/** Answers like Vertex AI in one project and region, and refuses what it would refuse. */
export const answerAsVertex = (response: ServerResponse, call: UpstreamCall): void => {
  const [, version = '', publisher = '', model = '', method = ''] = PREFIX.exec(call.path) ?? [];
  const fail = (code: number, status: string, message: string): void =>
    answerJson(response, { error: { code, message, status } }, code);
  if (!/^Bearer ya29\.made-up-\d+$/.test(call.headers.authorization ?? ''))
    return fail(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
  const interaction = INTERACTIONS.exec(call.path);
  if (interaction !== null) return answerInteraction(response, call, interaction.groups?.['id']);
  if (method === '') return fail(404, 'NOT_FOUND', `no path ${call.path}`);
  const fault = findFault({ version, publisher, model, method }, call);
  if (fault !== undefined) return fail(400, 'INVALID_ARGUMENT', fault);
  if (model === 'count-tokens' || method === 'countTokens') return answerJson(response, answerTokens);
  if (method === 'predict') return answerPredict(response, call);
  const streamed = method.startsWith('stream');
  response
    .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
    .end(textOf(publisher === 'anthropic' ? 'messages' : 'google', streamed ? 'streamed' : 'plain', goodDay));
};
