/** What the figures of a bill are called here. Tokens, calls, and nano-dollars. */
export const figureNames = ['requests', 'input', 'cacheRead', 'cacheWrite', 'output', 'cost'] as const;
export type FigureName = (typeof figureNames)[number];
export type BillFigures = Partial<Record<FigureName, bigint>>;

/** What somebody says of one model on one day. */
export interface BillLine {
  /** `2026-11-21`, in UTC. */
  readonly day: string;
  /** As the provider calls it. */
  readonly model: string;
  /** `input` without what the cache read and wrote. Those that are not told are not compared. */
  readonly figures: BillFigures;
}

/** Lines of one day and model become one. */
export function sumLines(lines: readonly BillLine[]): ReadonlyMap<string, BillLine> {
  const sums = new Map<string, BillLine>();
  for (const line of lines) {
    const name = `${line.day} ${line.model}`;
    const before = sums.get(name)?.figures ?? {};
    const figures = Object.fromEntries(
      figureNames.flatMap((figure) =>
        before[figure] === undefined && line.figures[figure] === undefined
          ? []
          : [[figure, (before[figure] ?? 0n) + (line.figures[figure] ?? 0n)]],
      ),
    );
    sums.set(name, { ...line, figures });
  }
  return sums;
}
