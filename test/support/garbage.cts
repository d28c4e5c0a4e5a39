import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees at once what nothing holds any more, so that a test can see what is held. */
export const collectGarbage = runInNewContext('gc') as () => void;
