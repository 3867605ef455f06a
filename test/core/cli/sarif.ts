const text = { type: 'string' };
const object = (required: readonly string[], properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const message = object(['text'], { text });

/**
 * The part of the SARIF 2.1.0 schema that `koine check` writes: all required members, and no others.
 * https://json.schemastore.org/sarif-2.1.0.json
 */
export const sarifSchema = object(['version', 'runs'], {
  $schema: { type: 'string', pattern: '^https://\\S+$' },
  version: { enum: ['2.1.0'] },
  runs: {
    type: 'array',
    items: object(['tool'], {
      tool: object(['driver'], {
        driver: object(['name'], {
          name: text,
          rules: { type: 'array', uniqueItems: true, items: object(['id'], { id: text, help: message }) },
        }),
      }),
      columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
      results: {
        type: 'array',
        items: object(['message'], {
          ruleId: text,
          ruleIndex: { type: 'integer', minimum: -1 },
          level: { enum: ['none', 'note', 'warning', 'error'] },
          message,
          locations: {
            type: 'array',
            items: object([], {
              physicalLocation: object(['artifactLocation'], {
                artifactLocation: object([], { uri: { type: 'string', pattern: '^[\\w.~:/?#@!$&()*+,;=%-]+$' } }),
                region: object([], {
                  startLine: { type: 'integer', minimum: 1 },
                  startColumn: { type: 'integer', minimum: 1 },
                }),
              }),
            }),
          },
        }),
      },
    }),
  },
});
