// A row that was changed or moved since is not the one that was asked about.
import { itemsOf, jsonOf } from '../items';
import { justAnswered, unchanged } from '../possibleDuplicates';

export default itemsOf(justAnswered((asked) => unchanged(asked, jsonOf($input.all()), 'id')));
