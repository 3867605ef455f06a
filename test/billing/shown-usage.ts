import type { Json, Wire } from '../matrix/wires.ts';

const bodies = (text: string, stream: boolean): readonly Json[] =>
  stream
    ? [...text.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, data = '']) => JSON.parse(data) as Json)
    : [JSON.parse(text) as Json];

const usageIn: Readonly<Record<Wire | 'interactions', (body: Json) => unknown>> = {
  chat: ({ usage }) => usage,
  messages: ({ usage, message }) => usage ?? (message as Json | undefined)?.['usage'],
  responses: ({ usage, response }) => usage ?? (response as Json | undefined)?.['usage'],
  google: ({ usageMetadata }) => usageMetadata,
  interactions: ({ usage, interaction }) => usage ?? (interaction as Json | undefined)?.['usage'],
};

/** The usage that a client of the wire sees in the end: later frames override earlier ones. */
export const shownUsage = (client: Wire | 'interactions', text: string, stream: boolean): Json | undefined => {
  const shown = bodies(text, stream).flatMap((body) => {
    const usage = usageIn[client](body);
    return typeof usage === 'object' && usage !== null ? [usage as Json] : [];
  });
  return shown.length === 0 ? undefined : (Object.assign({}, ...shown) as Json);
};
