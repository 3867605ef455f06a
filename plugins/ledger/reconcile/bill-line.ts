/** The amounts of a bill: requests, tokens, and cost in nano-dollars. */
export const figureNames = ['requests', 'input', 'cacheRead', 'cacheWrite', 'output', 'cost'] as const;
export type FigureName = (typeof figureNames)[number];
export type BillFigures = Partial<Record<FigureName, bigint>>;

/** Usage of one model on one day, from a bill or from the ledger. */
export interface BillLine {
  /** `2026-11-21`, in UTC. */
  readonly day: string;
  /** The provider's name of the model. */
  readonly model: string;
  /** `input` excludes cache reads and writes. Figures that are missing are not compared. */
  readonly figures: BillFigures;
}

/** Sums up the lines of each day and model. */
export function sumLines(lines: readonly BillLine[]): ReadonlyMap<string, BillLine> {
  const sums = new Map<string, BillLine>();
  for (const line of lines) {
    const key = `${line.day} ${line.model}`;
    const before = sums.get(key)?.figures ?? {};
    const figures = Object.fromEntries(
      figureNames.flatMap((figure) =>
        before[figure] === undefined && line.figures[figure] === undefined
          ? []
          : [[figure, (before[figure] ?? 0n) + (line.figures[figure] ?? 0n)]],
      ),
    );
    sums.set(key, { ...line, figures });
  }
  return sums;
}
