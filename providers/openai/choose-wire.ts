import type { Endpoint, GenerateRequest, Reasoning } from '../../core/index.ts';
import { WIRE as CHAT } from './chat-completions/shape.ts';
import { isReasoning, isResponsesOnly } from './models.ts';
import { WIRE as RESPONSES } from './responses/shape.ts';
import { selectRefusal } from './tools-without-reasoning.ts';

/** The effort that a wish to think comes to on the chat wire: a budget is an effort too, and who wants to see thoughts wants them thought. */
const effortOf = ({ effort, budget, show }: Reasoning): string | undefined => {
  if (budget === 0) return 'none';
  return effort ?? (budget !== undefined || show === true ? 'medium' : undefined);
};

const holdsTools = ({ tools }: GenerateRequest): boolean => tools.some(({ kind }) => kind !== 'hosted');

/**
 * Which of its two wires a model is asked over. A client of one of them keeps its own, and with it the native lane, unless the model cannot
 * answer there: that is why tools for models that refuse them beside reasoning travel over responses. Clients of other wires who want to see
 * the reasoning get it there too, since the chat wire of OpenAI shows none.
 */
export function createChoice(model: string): NonNullable<Endpoint['chooseWire']> {
  if (isResponsesOnly(model)) return () => RESPONSES;
  const refuses = selectRefusal(model);
  const reasons = isReasoning(model);
  return (request, clientWire) => {
    if (clientWire === RESPONSES) return RESPONSES;
    const effort = request.reasoning === undefined ? undefined : effortOf(request.reasoning);
    if (refuses?.(effort) === true && holdsTools(request)) return RESPONSES;
    return clientWire !== CHAT && reasons && request.reasoning?.show === true && effort !== 'none' ? RESPONSES : CHAT;
  };
}
