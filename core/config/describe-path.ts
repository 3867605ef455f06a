import type { Path } from './problem.ts';

const describeSegment = (segment: string | number): string => {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[A-Za-z_][\w-]*$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
};

/** A path in the form that messages use: `models["openai/gpt-4.1"].targets[0]`. */
export const describePath = (path: Path): string =>
  path.length === 0 ? 'the file' : path.map(describeSegment).join('').replace(/^\./, '');
