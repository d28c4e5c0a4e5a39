// If the workbook that was uploaded cannot be written into, its rows are a new one.
import { itemsOf } from '../items';
import type { Ending } from './parts/step';

export default itemsOf($('Draw the page').first<Ending>().json.lines);
