import { allowsModel } from '../../catalog/model-pattern.ts';
import type { PrimaryInstance } from '../../contracts/extension.ts';
import type { Ended } from '../admin-calls/recent-exchanges.ts';
import type { Runtime } from '../runtime.ts';

const DAY_MS = 86_400_000;

/** The targets of models whose own `unpriced` is `allow`: `openai/gpt-4.1`, or `openai/*`. */
const listAccepted = ({ loaded: { config } }: Pick<Runtime, 'loaded'>): readonly string[] =>
  Object.values(config.models).flatMap(({ allowsUnpriced, targets }) =>
    allowsUnpriced === true ? targets.map(({ provider, model }) => `${provider}/${model}`) : [],
  );

/** An alert for each target that was used without a price, once a day, in the reports of ended exchanges. */
export function withUnpricedAlerts(
  exchanges: PrimaryInstance,
  runtime: Pick<Runtime, 'loaded' | 'alerts'>,
): PrimaryInstance {
  let accepted: readonly string[] | undefined;
  const note = (target: string): void => {
    accepted ??= listAccepted(runtime);
    if (accepted.length > 0 && allowsModel(accepted, target)) return;
    void runtime.alerts.raise({
      event: 'model.unpriced',
      text: `${target} was used without a price: its cost is unknown`,
      key: `model.unpriced;${target}`,
      onceFor: DAY_MS,
      fields: { target },
    });
  };
  return {
    ...exchanges,
    handle: (message, worker) => {
      for (const { life } of message as readonly Ended[])
        for (const { cost, target } of life.charges) if (cost === undefined) note(target);
      return exchanges.handle?.(message, worker);
    },
  };
}
