import type { Headers } from '../../../core/api/index.ts';
import type { Lose } from '../../../core/api/codec.ts';

/**
 * The values of `anthropic-beta` that Claude at Vertex AI accepts. It refuses others with a 400:
 * https://github.com/BerriAI/litellm/blob/main/litellm/anthropic_beta_headers_config.json
 */
const knownBetas: readonly string[] = [
  'compact-2026-01-12',
  'compact-2026-09-04',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19',
  'web-search-2025-03-05',
];
/** Betas with another name there. */
const renamed: Readonly<Record<string, string>> = { 'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19' };

/** The betas of calls to Claude. */
export interface Betas {
  /** Reports those that are not sent. */
  report(headers: Headers, lose: Lose): void;
  /** The headers that are sent. The version is in the body. */
  filter(headers: Headers): Headers;
}

/** @param more betas of the settings, besides the known ones */
export function createBetas(more: readonly string[] = []): Betas {
  const accepted = new Set([...knownBetas, ...more]);
  const split = (headers: Headers): readonly string[] =>
    (headers['anthropic-beta'] ?? '')
      .split(',')
      .map((beta) => beta.trim())
      .filter((beta) => beta !== '')
      .map((beta) => (Object.hasOwn(renamed, beta) ? (renamed[beta] ?? beta) : beta));
  return {
    report: (headers, lose) => {
      for (const beta of split(headers))
        if (!accepted.has(beta)) lose('anthropic-beta', 'dropped', `Vertex AI refuses the beta '${beta}'`);
    },
    filter: (headers) => {
      const { 'anthropic-version': _version, 'anthropic-beta': given, ...others } = headers;
      const betas = given === undefined ? [] : split(headers).filter((beta) => accepted.has(beta));
      return betas.length === 0 ? others : { ...others, 'anthropic-beta': [...new Set(betas)].join(',') };
    },
  };
}
