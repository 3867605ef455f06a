import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Tool } from '../../canonical/tool.ts';
import { defineFit } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

/** The tool as an ordinary function. */
const declareTool = ({ vendorType, vendor, namespace, deferred: _deferred, inline: _inline, ...tool }: Tool): Tool =>
  vendorType === undefined ? omitUndefined({ ...tool, vendor, namespace }) : tool;

const isOrdinary = ({ vendorType, deferred, withheld, inline }: Tool): boolean =>
  (vendorType ?? deferred ?? withheld ?? inline) === undefined;

/**
 * The tools of a vendor's wire as other wires have them: those that are offered at the end of the conversation, all of
 * them declared by the request. A tool that only the vendor's models know becomes a function with a schema.
 */
export const offeredToolsFit = defineFit({
  name: 'offered-tools',
  fit(request, { wire }, { lose, client }) {
    const { tools } = request;
    if (request.wire === wire || tools.every(isOrdinary)) return undefined;
    const offered = tools.filter(({ withheld }) => withheld !== true);
    const known = new Set(offered.flatMap(({ vendorType }) => vendorType ?? []));
    if (known.size > 0)
      lose(describeField(client, 'tools'), 'approximated', `${[...known].join(', ')}: sent as functions with a schema`);
    return { request: { ...request, tools: offered.map(declareTool) } };
  },
});
