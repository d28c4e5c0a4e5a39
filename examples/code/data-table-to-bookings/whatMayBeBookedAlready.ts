import { itemsOf, jsonOf } from '../items';
import { possibleDuplicates } from '../possibleDuplicates';

export default itemsOf(possibleDuplicates(jsonOf($input.all()), 'id'));
