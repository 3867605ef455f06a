import type { GenerateRequest } from '../../canonical/request.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

/** For a model that nothing is known of: what the oldest models of such a wire can write. */
const DEFAULT_CAP = 4_096;

/**
 * The most tokens that an answer can have: the cap of the request, but never more than the model can write; `undefined`
 * where neither is known.
 */
export const mostTokens = (
  { maxTokens }: Pick<GenerateRequest, 'maxTokens'>,
  { maxOutput }: Capabilities,
): number | undefined =>
  maxTokens === undefined || maxOutput === undefined ? (maxTokens ?? maxOutput) : Math.min(maxTokens, maxOutput);

/** A cap where the wire demands one, and none above what the model can write. */
export const maxTokensFit = defineFit({
  name: 'max-tokens',
  only: 'generate',
  applies: ({ capabilities, traits }) => capabilities.maxOutput !== undefined || traits.requiresMaxTokens === true,
  fit(request, { capabilities, traits }, { lose, client }) {
    if (request.maxTokens === undefined && traits.requiresMaxTokens !== true) return undefined;
    const maxTokens = mostTokens(request, capabilities) ?? DEFAULT_CAP;
    if (maxTokens === request.maxTokens) return undefined;
    const field = describeField(client, 'maxTokens');
    if (request.maxTokens === undefined) lose(field, 'injected', `the target needs a cap: ${maxTokens}`);
    else lose(field, 'approximated', `lowered to ${maxTokens}, the most the model can write`);
    return { request: { ...request, maxTokens } };
  },
});
