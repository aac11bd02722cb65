// How is something done once, when a person has stopped typing?

/**
 * Calls an action once the calls have paused.
 * @param {() => void} action
 * @param {number} [ms]
 */
export function afterPause(action, ms = 350) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(action, ms);
  };
}
