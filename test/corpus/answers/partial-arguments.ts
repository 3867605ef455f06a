import type { PartialArg } from '@google/genai';

type Node = Record<string, unknown>;

const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => (name === undefined ? Number(index) : name));

/**
 * Adds one piece of an argument at its JSON path.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
export const addPartialArgument = (
  whole: object,
  { jsonPath = '$', stringValue, numberValue, boolValue }: PartialArg,
): void => {
  const steps = stepsOf(jsonPath);
  let node = whole as Node;
  for (const [at, step] of steps.entries()) {
    if (at === steps.length - 1)
      node[step] =
        stringValue === undefined
          ? (numberValue ?? boolValue ?? null)
          : `${typeof node[step] === 'string' ? node[step] : ''}${stringValue}`;
    else node = (node[step] ??= typeof steps[at + 1] === 'number' ? [] : {}) as Node;
  }
};
