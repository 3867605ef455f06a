import { isObject } from '../../canonical/json/members.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import type { WireTraits } from '../../contracts/capabilities.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { describeField } from '../../fits/support/field-name.ts';

/** The most that a vendor takes: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool */
const MAX_TOOLS = 10_000;
/** Twice what a vendor takes in one schema: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const MAX_PROPERTIES = 10_000;
/** A shorter body cannot hold so many: `"a":{},` is seven bytes. */
const SHORT_BODY = 7 * MAX_PROPERTIES;

/** How many properties all objects of a schema declare, counted up to `most`. */
const countProperties = (schema: unknown, most: number): number => {
  let count = 0;
  const waiting: unknown[] = [schema];
  while (waiting.length > 0 && count <= most) {
    const node = waiting.pop();
    if (Array.isArray(node)) for (const item of node) waiting.push(item);
    if (!isObject(node)) continue;
    if (isObject(node['properties'])) count += Object.keys(node['properties']).length;
    for (const name in node) waiting.push(node[name]);
  }
  return count;
};

const refuseWide = (schema: unknown, field: string): void => {
  if (countProperties(schema, MAX_PROPERTIES) <= MAX_PROPERTIES) return;
  throw invalidRequest(
    field,
    `The schema in '${field}' declares more than ${MAX_PROPERTIES} properties. Split it, or describe the rest in words.`,
  );
};

/**
 * Refuses requests with more tools, or wider schemas, than any vendor takes.
 * @param client what the client's wire says of itself
 * @param bytes of the body: schemas of short bodies are not looked into
 * @throws GatewayError `invalid_request` that names the limit
 */
export function checkRequestBounds({ tools, output }: GenerateRequest, client: WireTraits, bytes: number): void {
  const field = describeField(client, 'tools');
  if (tools.length > MAX_TOOLS)
    throw invalidRequest(
      field,
      `'${field}' declares ${tools.length} tools; at most ${MAX_TOOLS} are taken. Offer the model fewer tools.`,
    );
  if (bytes < SHORT_BODY) return;
  for (const { schema } of tools) refuseWide(schema, field);
  if (output?.type === 'schema') refuseWide(output.schema, describeField(client, 'output'));
}
