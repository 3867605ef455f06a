import type { WireName } from '../canonical/wire.ts';
import { defineFit } from '../contracts/fit.ts';
import { describeField } from './field-name.ts';

/** Wires that refuse a request without a cap on its output. */
const wiresWithRequiredCap: ReadonlySet<WireName> = new Set(['messages']);

/** For a model that nothing is known of: what the oldest models of such a wire can write. */
const DEFAULT_CAP = 4_096;

/** A cap where the wire demands one, and none above what the model can write. */
export const maxTokensFit = defineFit({
  name: 'max-tokens',
  only: 'generate',
  applies: ({ capabilities, wire }) => capabilities.maxOutput !== undefined || wiresWithRequiredCap.has(wire),
  fit(request, { capabilities: { maxOutput }, wire }, { lose }) {
    const { maxTokens } = request;
    if (maxTokens === undefined) {
      if (!wiresWithRequiredCap.has(wire)) return undefined;
      lose(describeField(request.wire, 'maxTokens'), 'injected', `the target needs a cap: ${maxOutput ?? DEFAULT_CAP}`);
      return { request: { ...request, maxTokens: maxOutput ?? DEFAULT_CAP } };
    }
    if (maxOutput === undefined || maxTokens <= maxOutput) return undefined;
    lose(describeField(request.wire, 'maxTokens'), 'approximated', `lowered to ${maxOutput}, the most the model can write`);
    return { request: { ...request, maxTokens: maxOutput } };
  },
});
