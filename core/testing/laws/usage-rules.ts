import { cacheWriteTotal, inputTotal, type Usage } from '../../api/index.ts';
import { optionalCounts } from '../../canonical/usage.ts';

const counts = ['inputUncached', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Seconds are measured, and can have fractions. */
const isAmount = (value: number): boolean => value >= 0 && value <= Number.MAX_SAFE_INTEGER;

const checkCounts = ({ units: { seconds = 0, ...units } = {}, ...usage }: Usage): string[] => [
  ...(isAmount(seconds) ? [] : [`seconds is ${seconds}`]),
  ...[
    ...counts.map((name) => [name, usage[name]] as const),
    ...optionalCounts.map((name) => [name, usage[name] ?? 0] as const),
    ...Object.entries(units),
  ].flatMap(([name, count]) => (isCount(count) ? [] : [`${name} is ${String(count)}`])),
];

/**
 * Checks a usage record and its further calls: counts are integers, seconds are numbers, and none is negative;
 * reasoning, audio and images are within the output; cache, audio, images and video are within the input, cached audio
 * within the cache. Returns the problems.
 */
export function checkUsage(usage: Usage): string[] {
  const problems = checkCounts(usage);
  if (usage.reasoning > usage.output)
    problems.push(`reasoning (${usage.reasoning}) is more than output (${usage.output})`);
  const cached = usage.cacheRead + cacheWriteTotal(usage);
  if (cached > inputTotal(usage)) problems.push(`cache (${cached}) is more than input (${inputTotal(usage)})`);
  const { inputAudio = 0, inputImage = 0, inputVideo = 0, outputAudio = 0, outputImage = 0 } = usage;
  const media = inputAudio + inputImage + inputVideo;
  if (media > usage.inputUncached)
    problems.push(`audio, images and video (${media}) are more than the uncached input (${usage.inputUncached})`);
  const { cacheReadAudio = 0, cacheReadImage = 0, further = [] } = usage;
  if (cacheReadAudio + cacheReadImage > usage.cacheRead)
    problems.push(
      `cached audio and images (${cacheReadAudio + cacheReadImage}) are more than the cached input ` +
        `(${usage.cacheRead})`,
    );
  if (usage.reasoning + outputAudio + outputImage > usage.output)
    problems.push(
      `reasoning, audio and images (${usage.reasoning + outputAudio + outputImage}) exceed output (${usage.output})`,
    );
  return [...problems, ...further.flatMap(checkUsage).map((problem) => `a further call: ${problem}`)];
}
