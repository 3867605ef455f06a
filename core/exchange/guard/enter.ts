import type { Admission, PluginInstance } from '../../contracts/plugin.ts';
import { checkAdmission, GuardedAdmission } from './admit.ts';
import { watchHook, type GuardParts } from './watch.ts';

type Enter = NonNullable<PluginInstance['enter']>;

const check = (answer: Admission | undefined): string | undefined => {
  if (!(answer instanceof Promise)) return checkAdmission(answer);
  answer.catch(() => {});
  return 'a promise, and has to answer at once';
};

/** A plugin that fails and is skipped has refused nothing and holds nothing. */
export const guardEnter = (enter: Enter, parts: GuardParts): Enter => {
  const [watch, settling] = [watchHook(parts, 'enter'), watchHook(parts, 'settle', 'skip')];
  return (head, caller) => {
    const since = performance.now();
    try {
      const admission = enter(head, caller);
      const wrong = check(admission);
      if (wrong !== undefined) throw watch.wrong(wrong);
      return admission && new GuardedAdmission(admission, settling, head.id);
    } catch (thrown) {
      const refusal = watch.judge(thrown, head.id);
      if (refusal !== undefined) throw refusal;
      return undefined;
    } finally {
      watch.time(since);
    }
  };
};
