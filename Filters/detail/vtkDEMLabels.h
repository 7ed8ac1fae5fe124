/**
 * Messages for users of the panels. The solver and the filters name properties as scripts do
 * ("OutputInterval"); the panels show their labels ("Output Interval").
 */

#ifndef vtkDEMLabels_h
#define vtkDEMLabels_h

#include <string>
#include <vector>

namespace vtkDEMLabels
{

/**
 * The message with the names of properties replaced by their labels. Not replaced: texts in double
 * quotes, parts of file names, lists that begin with "are:" or "Known:" up to their full stop, and
 * texts of steering events, which use the names of scripts.
 */
std::string InMessage(const std::string& message);

/**
 * The message with walls that it calls by their number in the scene ("Wall 3") replaced by
 * `labels[3]`, the names of their inputs. Numbers without a label stay.
 */
std::string WithWallNames(const std::string& message, const std::vector<std::string>& labels);

} // namespace vtkDEMLabels

#endif
