import type { Endpoint, GenerateRequest } from '../../core/api/index.ts';
import { operations, type CompatibleWire } from './operations.ts';

const MESSAGES = operations.messages.wire;

/** Wires of conversations. */
const conversing: ReadonlySet<CompatibleWire> = new Set(['chat-completions', 'responses', MESSAGES]);

/** Tools that run at Anthropic, or that only its models know, and requests to Anthropic itself. */
const isForAnthropic = ({ tools, vendorOnly, vendorState }: GenerateRequest): boolean =>
  (vendorOnly ?? vendorState) !== undefined ||
  tools.some(
    ({ kind, vendorType, deferred, inline }) => kind === 'hosted' || (vendorType ?? deferred ?? inline) !== undefined,
  );

/**
 * Clients of the messages wire are served natively where the server has an endpoint in its shape. What only Anthropic
 * does is translated: such an endpoint ignores it, and the translation adapts or refuses it.
 */
export function createChooseWire(wires: readonly CompatibleWire[]): Pick<Endpoint, 'chooseWire'> {
  if (!wires.includes(MESSAGES)) return {};
  const first = wires.find((wire) => conversing.has(wire)) ?? MESSAGES;
  return {
    chooseWire: (request, client) => {
      if (client === MESSAGES && isForAnthropic(request)) return first;
      return wires.find((wire) => wire === client) ?? first;
    },
  };
}
