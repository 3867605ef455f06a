import type { Endpoint, EndpointWire, JsonObject } from '../../core/api/index.ts';
import type { BodyEdit } from '../../core/api/codec.ts';
import { classify } from './classify.ts';
import type { Family } from './families.ts';
import type { BedrockOptions } from './schema.ts';

const CHAT = 'chat-completions';
const RESPONSES = 'responses';

type OpenAiWire = typeof CHAT | typeof RESPONSES;

const createEdits =
  ({ serviceTier }: BedrockOptions): NonNullable<EndpointWire['edits']> =>
  (body: Readonly<JsonObject>): readonly BodyEdit[] =>
    serviceTier === undefined || 'service_tier' in body ? [] : [{ member: 'service_tier', value: serviceTier }];

/**
 * The wires of OpenAI's models beside Converse. The open models have responses at another endpoint (`bedrock-mantle`)
 * only. A guardrail is documented for chat completions, in headers, and not for responses, which are not called then.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html
 */
export function createOpenAiWires(
  options: BedrockOptions,
  family: Family,
  buildRequestOf: (wire: OpenAiWire) => EndpointWire['buildRequest'],
): readonly EndpointWire[] {
  if (family !== 'gpt' && family !== 'gpt-oss') return [];
  const names: readonly OpenAiWire[] = family === 'gpt' && options.guardrail === undefined ? [RESPONSES, CHAT] : [CHAT];
  return names.map((wire) => ({
    operation: 'generate',
    wire,
    buildRequest: buildRequestOf(wire),
    classify,
    stateless: true,
    webSearch: false,
    edits: createEdits(options),
    ...(wire === CHAT ? { capMember: 'max_completion_tokens', effortMember: 'reasoning_effort' } : {}),
  }));
}

/**
 * Chooses among the wires of a model of OpenAI. Over chat completions the open models write their reasoning into the
 * text, in tags, and the others take no tools while they reason: both are called by another wire then, unless the
 * target names chat completions.
 * @param wires in the order of preference for clients of other wires
 */
export const createOpenAiChoice =
  (family: Family, wires: readonly EndpointWire[]): NonNullable<Endpoint['chooseWire']> =>
  ({ tools }, clientWire) => {
    const others = wires.filter(({ wire }) => wire !== CHAT);
    const isNative =
      clientWire === CHAT ? family === 'gpt' && tools.length === 0 : others.some(({ wire }) => wire === clientWire);
    return isNative ? clientWire : (others[0]?.wire ?? CHAT);
  };
