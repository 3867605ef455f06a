/** One feature of a client's wire: its members in addition to the smallest request. */
export interface Probe {
  readonly feature: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export const wires = ['chat-completions', 'messages', 'responses', 'generate-content', 'interactions'] as const;
export type Wire = (typeof wires)[number];

export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PDF = 'JVBERi0xLjQKJcOkw7zDtsOfCg==';
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEA';
export const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
