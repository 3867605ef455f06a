import type { Part, ToolCallPart } from '../canonical/part.ts';
import type { GenerateRequest, Turn, VendorOnly } from '../canonical/request.ts';
import type { Tool } from '../canonical/tool.ts';
import type { TargetProfile } from '../contracts/codec-context.ts';
import { defineFit, type FitContext } from '../contracts/fit.ts';
import { describeField } from './support/field-name.ts';
import { rewriteParts } from './support/rewrite-parts.ts';
import { declareOffered } from './tools/offered-tools.ts';
import { unsupportedParameter } from './support/unsupported.ts';

/** The gateway stores no conversations. */
const refuseReference = (field: string, wire: string, { wire: targetWire, model }: TargetProfile): never => {
  const reason =
    wire === targetWire
      ? `'${field}' refers to an earlier request, and the server of ${model} holds nothing between requests.`
      : `'${field}' refers to something stored at a vendor with the wire ${wire}, but ${model} is not called over ` +
        'that wire.';
  throw unsupportedParameter(field, `${reason} Send the whole conversation instead, or choose a model of that vendor.`);
};

const refuseRequest = ({ field, what }: VendorOnly, wire: string, { model }: TargetProfile): never => {
  throw unsupportedParameter(
    field,
    `'${field}' requests ${what}, which only a vendor with the wire ${wire} can do, and ${model} is not called over ` +
      'that wire. Leave it out, or choose a model of such a vendor.',
  );
};

/** Whether a tool is more than a declaration. No function per tool: most requests have ordinary ones. */
const holdsOwnTools = (tools: readonly Tool[]): boolean => {
  for (const { vendorType, deferred, withheld, inline } of tools)
    if ((vendorType ?? deferred ?? withheld ?? inline) !== undefined) return true;
  return false;
};

/** Whether a call has members of the client's wire. No function per part: most conversations have none. */
const holdsMembers = (turns: readonly Turn[]): boolean => {
  for (const { parts } of turns)
    for (const part of parts) if (part.type === 'tool-call' && part.extra !== undefined) return true;
  return false;
};

const dropMembers = (
  request: GenerateRequest,
  { wire }: TargetProfile,
  { lose, client, place }: FitContext,
): GenerateRequest => {
  const drop = (part: Part): Part => {
    if (part.type !== 'tool-call' || part.extra === undefined) return part;
    const { extra, ...call }: Part & ToolCallPart = part;
    const path = place?.(part) ?? describeField(client, 'conversation');
    for (const member of Object.keys(extra?.members ?? {}))
      lose(`${path}.${member}`, 'dropped', `${wire} has no such member`);
    return call;
  };
  return { ...request, turns: rewriteParts(request.turns, drop) };
};

/** What only targets on the client's wire have: references and requests to the vendor, members of calls, and tools. */
export const vendorStateFit = defineFit({
  name: 'vendor-state',
  fit(request, profile, context) {
    const { vendorState: [reference] = [], vendorOnly: [own] = [], wire, turns, tools } = request;
    const isForeign = wire !== profile.wire;
    if (reference !== undefined && (isForeign || profile.stateless === true))
      return refuseReference(reference, wire, profile);
    if (!isForeign) return undefined;
    if (own !== undefined) return refuseRequest(own, wire, profile);
    const called = holdsMembers(turns) ? dropMembers(request, profile, context) : request;
    const offered = holdsOwnTools(tools) ? declareOffered(called, context) : called;
    return offered === request ? undefined : { request: offered };
  },
});
