import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';

/** Lists what is wrong with a value, by a schema of the Open Responses document. */
export type Complain = (name: string, value: unknown) => readonly string[];

const EVENTS = /StreamingEvent$/;

/** The schemas of an OpenAPI document, under their names. */
export function readSchemas(file: string): Complain {
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: Properties }>> };
  };
  const { schemas } = components;
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components });
  const eventNames = new Map(
    Object.entries(schemas)
      .filter(([name]) => EVENTS.test(name))
      .map(([name, { properties }]) => [properties?.['type']?.enum?.[0] ?? properties?.['type']?.const ?? '', name]),
  );
  const complain = (name: string, value: unknown): readonly string[] => {
    const validate = ajv.getSchema(`document#/components/schemas/${name}`);
    if (validate === undefined) return [`the document has no schema ${name}`];
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`).slice(0, 5);
  };
  return (name, value) => {
    if (name !== 'event') return complain(name, value);
    const { type = '' } = value as { readonly type?: string };
    if (type === 'error') return complain('WebSocketErrorEvent', value);
    const found = eventNames.get(type);
    return found === undefined ? [`the document has no event ${type}`] : complain(found, value);
  };
}

type Properties = Readonly<Record<string, { readonly enum?: readonly string[]; readonly const?: string }>>;
