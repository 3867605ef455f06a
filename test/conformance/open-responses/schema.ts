import type { Document } from '../documents.ts';

const EVENTS = /StreamingEvent$/;

/** The value of `type` that an event of this schema has. */
const typeOf = ({ properties }: Document['schemas'][string]): string => {
  const { type } = (properties ?? {}) as {
    readonly type?: { readonly enum?: readonly string[]; readonly const?: string };
  };
  return type?.enum?.[0] ?? type?.const ?? '';
};

/** Lists what is wrong with an event, by the schema that its type has in the document of Open Responses. */
export function createEventJudge({ schemas, complain }: Document): (event: unknown) => readonly string[] {
  const names = new Map(
    Object.entries(schemas).flatMap(([name, schema]) => (EVENTS.test(name) ? [[typeOf(schema), name] as const] : [])),
  );
  return (event) => {
    const { type = '' } = event as { readonly type?: string };
    const name = type === 'error' ? 'WebSocketErrorEvent' : names.get(type);
    return name === undefined ? [`the document has no event ${type}`] : complain(name, event);
  };
}
