import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import { listSome } from '../../canonical/text/list-some.ts';
import type { Tool } from '../../canonical/tool.ts';
import type { FitContext } from '../../contracts/fit.ts';
import { describeField } from '../support/field-name.ts';

/** The tool as an ordinary function. */
const declareTool = ({ vendorType, vendor, namespace, deferred: _deferred, inline: _inline, ...tool }: Tool): Tool =>
  vendorType === undefined ? omitUndefined({ ...tool, vendor, namespace }) : tool;

/**
 * The tools of a vendor's wire as other wires have them: those that are offered at the end of the conversation, all of
 * them declared by the request. A tool that only the vendor's models know becomes a function with a schema.
 */
export function declareOffered(request: GenerateRequest, { lose, client }: FitContext): GenerateRequest {
  const offered = request.tools.filter(({ withheld }) => withheld !== true);
  const known = new Set(offered.flatMap(({ vendorType }) => vendorType ?? []));
  if (known.size > 0)
    lose(describeField(client, 'tools'), 'approximated', `${[...known].join(', ')}: sent as functions with a schema`);
  const waiting = request.tools.filter(({ deferred, withheld }) => deferred === true && withheld === true);
  if (waiting.length > 0)
    lose(
      describeField(client, 'tools'),
      'approximated',
      `${listSome(waiting.map(({ name }) => name))}: deferred, and sent only when a search has found them`,
    );
  return { ...request, tools: offered.map(declareTool) };
}
