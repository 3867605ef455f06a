import type { Endpoint, GenerateRequest, Reasoning } from '../../core/api/index.ts';
import { WIRE as CHAT } from './chat-completions/shape.ts';
import { isReasoning, isResponsesOnly, searchesOnChat, selectRefusal } from './models.ts';
import { WIRE as RESPONSES } from './responses/shape.ts';

/** The effort of a request on the chat wire. A budget counts as an effort, and so does the wish to see reasoning. */
const effortOf = ({ effort, budget, show }: Reasoning): string | undefined => {
  if (budget === 0) return 'none';
  return effort ?? (budget !== undefined || show === true ? 'medium' : undefined);
};

const holdsTools = ({ tools }: GenerateRequest): boolean => tools.some(({ kind }) => kind !== 'hosted');

/**
 * Chooses the wire for requests to a model. A client of chat completions or responses keeps its wire, and with it the
 * native lane, unless the model does not serve the request there: tools with reasoning go over responses where the
 * model refuses them on chat. Clients of other wires get responses when they want to see reasoning, which OpenAI does
 * not show on chat, or the model to search the web.
 */
export function createChoice(model: string): NonNullable<Endpoint['chooseWire']> {
  if (isResponsesOnly(model)) return () => RESPONSES;
  const refuses = selectRefusal(model);
  const reasons = isReasoning(model);
  const searches = !searchesOnChat(model);
  return (request, clientWire) => {
    if (clientWire === RESPONSES) return RESPONSES;
    const effort = request.reasoning === undefined ? undefined : effortOf(request.reasoning);
    if (clientWire !== CHAT && searches && request.tools.some(({ webSearch }) => webSearch !== undefined))
      return RESPONSES;
    if (refuses?.(effort) === true && holdsTools(request)) return RESPONSES;
    return clientWire !== CHAT && reasons && request.reasoning?.show === true && effort !== 'none' ? RESPONSES : CHAT;
  };
}
