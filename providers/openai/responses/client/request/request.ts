import type { GenerateRequest, Turn } from '../../../../../core/api/index.ts';
import {
  type DecodedRequest,
  type InboundRequest,
  type Members,
  omitUndefined,
  readList,
  readMembers,
  readObject,
} from '../../../../../core/api/codec.ts';
import { declareCap } from '../../../../../core/api/internal.ts';
import { ENCRYPTED_REASONING, WIRE } from '../../shape.ts';
import { decodeInput } from './turns.ts';
import { decodeLoadedTools } from './loaded-tools.ts';
import { listModeration } from '../../../chat-completions/client/request/settings.ts';
import { markForm, type RequestForm } from '../../request-form.ts';
import { decodeReasoning } from './reasoning.ts';
import { checkSettings, describeExtra, listReferences, readLogprobsWanted, tidySettings } from './settings.ts';
import { decodeText } from './output-format.ts';
import { decodeToolChoice, decodeTools } from './tools.ts';

/** Sampling parameters, within the limits of this gateway. */
const decodeSampling = (body: Members) => ({
  maxTokens: body.number('max_output_tokens', { integer: true, min: 1 }),
  temperature: body.number('temperature', { min: 0, max: 2 }),
  topP: body.number('top_p'),
});

/** `user` is the older name of `safety_identifier`. With both, `user` stays in `extra`. */
const decodeUser = (body: Members): string | undefined => body.string('safety_identifier') ?? body.string('user');

const readRequestForm = (body: Members, turns: readonly Turn[], proofs: boolean): RequestForm => ({
  ...(turns[0]?.role === 'system' && (body.string('instructions') ?? '') === '' ? { systemItem: true } : {}),
  ...(body.has('user') && !body.has('safety_identifier') ? { olderUser: true } : {}),
  ...(proofs ? { proofs: true } : {}),
});

/**
 * https://platform.openai.com/docs/api-reference/responses/create. Members without a canonical member stay in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest): DecodedRequest<'generate'> {
  const body = readMembers(inbound.body);
  const model = body.requiredString('model');
  checkSettings(inbound.body);
  const named = listReferences(inbound.body);
  const { turns, references, updates, vendorOnly } = decodeInput(body, named.length > 0);
  const tools = decodeTools(body);
  const reasoning = decodeReasoning(body);
  const text = decodeText(body);
  const store = body.boolean('store');
  const proofs = readList(readObject(inbound.body)['include']).includes(ENCRYPTED_REASONING);
  const vendorState = [...named, ...references];
  const known: Omit<GenerateRequest, 'extra'> = omitUndefined({
    wire: WIRE,
    turns,
    tools: [...tools, ...decodeLoadedTools(body, tools)],
    toolChoice: decodeToolChoice(body),
    parallelTools: body.boolean('parallel_tool_calls'),
    output: text.output,
    ...decodeSampling(body),
    choices: 1,
    ...readLogprobsWanted(inbound.body),
    verbosity: text.verbosity,
    ...updates,
    reasoning: updates.reasoning === undefined ? reasoning.reasoning : { ...reasoning.reasoning, ...updates.reasoning },
    user: decodeUser(body),
    serviceTier: body.string('service_tier'),
    cacheKey: body.string('prompt_cache_key'),
    store,
    vendorState: vendorState.length === 0 ? undefined : vendorState,
    deferred: named.includes('background') ? 'background' : undefined,
    stream: body.boolean('stream') ?? false,
    includeUsage: true,
  });
  const onlyThere = [...listModeration(readObject(inbound.body)), ...vendorOnly];
  const members = tidySettings({ ...body.unread(), ...reasoning.extra, ...text.extra }, proofs && store !== true);
  return {
    model,
    ...declareCap(inbound.body, known.maxTokens),
    request: markForm(
      {
        ...known,
        ...(onlyThere.length === 0 ? {} : { vendorOnly: onlyThere }),
        extra: { wire: WIRE, members, ...describeExtra(members) },
      },
      readRequestForm(body, turns, proofs),
    ),
  };
}
