import { itemsOf } from '../items';
import type { Ending } from './parts/step';

export default itemsOf($('Draw the page').first<Ending>().json.lines);
