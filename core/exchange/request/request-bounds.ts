import { isObject } from '../../canonical/json/members.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import type { WireTraits } from '../../contracts/capabilities.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { describeField } from '../../fits/support/field-name.ts';

/** The most that any vendor accepts: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool */
const MAX_TOOLS = 10_000;
/**
 * Twice the most that any vendor accepts in one schema:
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
const MAX_PROPERTIES = 10_000;
/** Shorter bodies cannot declare so many: `"a":{},` is seven bytes. */
const SHORT_BODY = 7 * MAX_PROPERTIES;

/** The number of properties in all objects of a schema, counted up to `max`. */
const countProperties = (schema: unknown, max: number): number => {
  let count = 0;
  const waiting: unknown[] = [schema];
  while (waiting.length > 0 && count <= max) {
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
    `The schema in '${field}' declares more than ${MAX_PROPERTIES} properties. ` +
      'Split it, or describe a part of it in the prompt.',
  );
};

/**
 * Refuses requests with more tools or wider schemas than any vendor accepts.
 * @param client traits of the client's wire
 * @param bytes length of the body: schemas of short bodies are not counted
 * @throws GatewayError `invalid_request` that names the limit
 */
export function checkRequestBounds({ tools, output }: GenerateRequest, client: WireTraits, bytes: number): void {
  const field = describeField(client, 'tools');
  if (tools.length > MAX_TOOLS)
    throw invalidRequest(
      field,
      `'${field}' declares ${tools.length} tools; at most ${MAX_TOOLS} are accepted. Offer the model fewer tools.`,
    );
  if (bytes < SHORT_BODY) return;
  for (const { schema } of tools) refuseWide(schema, field);
  if (output?.type === 'schema') refuseWide(output.schema, describeField(client, 'output'));
}
