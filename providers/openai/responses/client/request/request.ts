import {
  type Accepted,
  declareCap,
  type GenerateRequest,
  type InboundRequest,
  type Members,
  omitUndefined,
  readList,
  readMembers,
  readObject,
} from '../../../../../core/index.ts';
import { ENCRYPTED_REASONING, WIRE } from '../../shape.ts';
import { decodeInput } from './turns.ts';
import { decodeLoadedTools } from './loaded-tools.ts';
import { markForm } from '../../request-form.ts';
import { decodeReasoning } from './reasoning.ts';
import { checkSettings, listHonoured, listReferences, tidySettings } from './settings.ts';
import { decodeText } from './output-format.ts';
import { decodeToolChoice } from './tool-choice.ts';
import { decodeTools } from './tools.ts';

/** The numbers that steer generation, within the limits of mission.md. */
const decodeSampling = (body: Members) => ({
  maxTokens: body.number('max_output_tokens', { integer: true, min: 1 }),
  temperature: body.number('temperature', { min: 0, max: 2 }),
  topP: body.number('top_p'),
});

/** `user` is the older name of `safety_identifier`. Who sends both keeps both: the one that is not read stays in `extra`. */
const decodeUser = (body: Members): string | undefined => body.string('safety_identifier') ?? body.string('user');

/**
 * Every field of https://platform.openai.com/docs/api-reference/responses/create; what has no canonical word stays in `extra`.
 * @throws GatewayError 400 that names the member
 */
export function decodeRequest(inbound: InboundRequest): Accepted<'generate'> {
  const body = readMembers(inbound.body);
  const model = body.requiredString('model');
  checkSettings(inbound.body);
  const kept = listReferences(inbound.body);
  const { turns, references } = decodeInput(body, kept.length > 0);
  const tools = decodeTools(body);
  const reasoning = decodeReasoning(body);
  const text = decodeText(body);
  const store = body.boolean('store');
  const proofs = readList(readObject(inbound.body)['include']).includes(ENCRYPTED_REASONING);
  const vendorState = [...kept, ...references];
  const known: Omit<GenerateRequest, 'extra'> = omitUndefined({
    wire: WIRE,
    turns,
    tools: [...tools, ...decodeLoadedTools(body, tools)],
    toolChoice: decodeToolChoice(body),
    parallelTools: body.boolean('parallel_tool_calls'),
    output: text.output,
    ...decodeSampling(body),
    choices: 1,
    reasoning: reasoning.reasoning,
    verbosity: text.verbosity,
    user: decodeUser(body),
    serviceTier: body.string('service_tier'),
    cacheKey: body.string('prompt_cache_key'),
    store,
    vendorState: vendorState.length === 0 ? undefined : vendorState,
    deferred: kept.includes('background') ? 'background' : undefined,
    stream: body.boolean('stream') ?? false,
    includeUsage: true,
  });
  const members = tidySettings({ ...body.unread(), ...reasoning.extra, ...text.extra }, proofs && store !== true);
  return {
    model,
    ...declareCap(inbound.body, known.maxTokens),
    request: markForm(
      { ...known, extra: { wire: WIRE, members, ...listHonoured(members) } },
      {
        ...(turns[0]?.role === 'system' && (body.string('instructions') ?? '') === '' ? { instructions: false } : {}),
        ...(body.has('user') && !body.has('safety_identifier') ? { user: true } : {}),
        ...(proofs ? { proofs: true } : {}),
      },
    ),
  };
}
