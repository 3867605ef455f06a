import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';

/** Lists what is wrong with a value, by a named schema of a document. */
export type Complain = (name: string, value: unknown) => readonly string[];

type Schema = Readonly<Record<string, unknown>>;

/** `nullable` of OpenAPI 3.0 as JSON Schema has it. */
const withNull = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withNull);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = value as Schema;
  const schema = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, withNull(member)]));
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
};

/** An OpenAPI document. */
export interface Document {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly complain: Complain;
}

/**
 * The document of Open Responses permits only null as `text.format.schema`. OpenAI's responses, and the types of its
 * SDK, have the schema there.
 */
const repair = (schemas: Document['schemas']): Document['schemas'] => {
  const { JsonSchemaResponseFormat: format, ModelOption: model } = schemas;
  // The document of interactions lists Google's models. Its SDK permits any other.
  if (model !== undefined) return { ...schemas, ModelOption: { type: 'string' } };
  if (format === undefined) return schemas;
  const properties = { ...(format['properties'] as Schema), schema: { type: ['object', 'null'] } };
  return { ...schemas, JsonSchemaResponseFormat: { ...format, properties } };
};

export function readDocument(file: string): Document {
  const document = JSON.parse(readFileSync(file, 'utf8')) as { readonly components: Pick<Document, 'schemas'> };
  const components = { ...document.components, schemas: repair(document.components.schemas) };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: withNull(components) as Schema });
  const complain: Complain = (name, value) => {
    const validate = ajv.getSchema(`document#/components/schemas/${name}`);
    if (validate === undefined) return [`the document has no schema ${name}`];
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`).slice(0, 6);
  };
  return { schemas: components.schemas, complain };
}
