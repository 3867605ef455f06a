import type { GenerateRequest, JsonObject, Part, Turn } from '../../../../../core/api/index.ts';
import type { Lose } from '../../../../../core/api/codec.ts';
import { readCallNames } from '../../../../../core/api/internal.ts';
import { partPath, splitTurnExtra } from '../../../generate-content/extra-members.ts';
import { emptyConversation, writeTurnExtra } from '../../../turns.ts';
import { WIRE } from '../../shape.ts';
import { encodeContent } from './content.ts';
import { encodeStep, type StepContext } from './steps.ts';

/** Results directly follow their calls; other wires allow parts between them. */
const leadWithResults = ({ role, parts }: Turn): readonly Part[] =>
  role === 'user' && parts.some(({ type }) => type === 'tool-result')
    ? [...parts.filter(({ type }) => type === 'tool-result'), ...parts.filter(({ type }) => type !== 'tool-result')]
    : parts;

/** Neighbouring texts and media are the content of one step. */
const encodeTurn = (turn: Turn, context: StepContext): readonly JsonObject[] => {
  const { parts: kept } = splitTurnExtra(writeTurnExtra(turn, WIRE, context.path, context.lose));
  const type = turn.role === 'assistant' ? 'model_output' : 'user_input';
  const steps: JsonObject[] = [];
  let content: JsonObject[] | undefined;
  for (const part of leadWithResults(turn)) {
    const at = partPath(turn.parts.indexOf(part));
    const inner = { ...context, path: `${context.path}.${at}` };
    if (part.cache !== undefined) context.lose(`${inner.path}.cache`, 'dropped', 'interactions has no cache marks');
    const extra = kept.get(at) ?? {};
    const own = encodeStep(part, inner);
    if (own !== undefined) {
      content = undefined;
      steps.push(...own.map((step, index) => (index === own.length - 1 ? { ...step, ...extra } : step)));
      continue;
    }
    const encoded = encodeContent(part, inner);
    if (encoded === undefined) continue;
    if (content === undefined) steps.push({ type, content: (content = []) });
    content.push({ ...encoded, ...extra });
  }
  return steps;
};

const encodeSystem = (turn: Turn, context: StepContext): readonly string[] => {
  writeTurnExtra(turn, WIRE, context.path, context.lose);
  return turn.parts.flatMap((part, index) => {
    const path = `${context.path}.${partPath(index)}`;
    if (part.cache !== undefined) context.lose(`${path}.cache`, 'dropped', 'interactions has no cache marks');
    if (part.type === 'text') return part.text === '' ? [] : [part.text];
    context.lose(path, 'dropped', 'the system instruction of interactions is a text');
    return [];
  });
};

/**
 * The leading system turns as the system instruction, and all others as steps.
 * @throws GatewayError `unsupported_parameter` if nothing is left of the conversation
 */
export function encodeTurns({ turns, wire }: Pick<GenerateRequest, 'turns' | 'wire'>, lose: Lose) {
  const names = readCallNames(turns);
  const leading = turns.findIndex(({ role }) => role !== 'system');
  const system: string[] = [];
  const steps: JsonObject[] = [];
  turns.forEach((turn, index) => {
    const context = { path: `input[${index}]`, wire, lose, names };
    if (leading < 0 || index < leading) system.push(...encodeSystem(turn, context));
    else steps.push(...encodeTurn(turn, context));
  });
  if (steps.length === 0) throw emptyConversation(wire === WIRE ? 'input' : 'messages');
  return { ...(system.length === 0 ? {} : { system: system.join('\n\n') }), steps };
}
