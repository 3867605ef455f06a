import type { Clock } from '../../../core/api/index.ts';

/** An answer that takes less is not kept. */
const SLOW_MS = 500;

/** Shares answers that take long, so that dashboards that ask again and again cause no further work. */
export class SlowAnswers {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #answers = new Map<string, Promise<object>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The answer of a question that is being asked, or was for as long as its answer took. */
  get(question: string, make: () => Promise<object>): Promise<object> {
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const answer = this.#keep(question, make);
    this.#answers.set(question, answer);
    return answer;
  }

  async #keep(question: string, make: () => Promise<object>): Promise<object> {
    const startedAt = this.#clock.monotonic();
    let took = 0;
    try {
      const answer = await make();
      took = this.#clock.monotonic() - startedAt;
      return answer;
    } finally {
      if (took < SLOW_MS) this.#answers.delete(question);
      else setTimeout(() => this.#answers.delete(question), took).unref();
    }
  }
}
