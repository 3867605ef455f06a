import type { GenerateRequest } from '../../canonical/request.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

/** For a model without data: what the oldest models of such wires can write. */
const DEFAULT_CAP = 4_096;

/** The maximum output: the cap of the request, but not above the model's; undefined if neither is known. */
export const mostTokens = (
  { maxTokens }: Pick<GenerateRequest, 'maxTokens'>,
  { maxOutput }: Capabilities,
): number | undefined =>
  maxTokens === undefined || maxOutput === undefined ? (maxTokens ?? maxOutput) : Math.min(maxTokens, maxOutput);

/**
 * Adds a cap if the wire requires one, and lowers one above the model's maximum. A client of the target's wire gets
 * what it would get on the native lane: its own cap.
 */
export const maxTokensFit = defineFit({
  name: 'max-tokens',
  only: 'generate',
  applies: ({ capabilities, traits }) => capabilities.maxOutput !== undefined || traits.requiresMaxTokens === true,
  fit(request, { wire, capabilities, traits }, { lose, client }) {
    if (request.wire === wire || (request.maxTokens === undefined && traits.requiresMaxTokens !== true))
      return undefined;
    const maxTokens = mostTokens(request, capabilities) ?? DEFAULT_CAP;
    if (maxTokens === request.maxTokens) return undefined;
    const field = describeField(client, 'maxTokens');
    if (request.maxTokens === undefined) lose(field, 'injected', `the target requires a cap: ${maxTokens}`);
    else lose(field, 'approximated', `lowered to ${maxTokens}, the maximum of the model`);
    return { request: { ...request, maxTokens } };
  },
});
