-- What stands in a buffer: which picture the text at the cursor names, and how a link to a picture or a place is written.
local M = {}

local namespace = vim.api.nvim_create_namespace("atelier")
local languages = {
  org = "org", markdown = "markdown", rmd = "markdown", quarto = "markdown", pandoc = "markdown", vimwiki = "markdown",
  text = "markdown", gitcommit = "markdown", mail = "markdown", [""] = "markdown",
}

local function absolute(path) return (vim.fn.simplify(vim.fn.fnamemodify(path, ":p")):gsub("(.)/+$", "%1")) end

--- The folder that relative paths in a buffer begin at, and whether the buffer has a file in it.
function M.folder(buffer)
  local name = vim.b[buffer].netrw_curdir or vim.api.nvim_buf_get_name(buffer)
  if name == "" then return absolute(vim.fn.getcwd()), false end
  return absolute(vim.fn.isdirectory(name) == 1 and name or vim.fn.fnamemodify(name, ":p:h")), true
end

-- In the order in which they are tried, with what is around a name. Bare words come last.
local patterns = {
  "%[%[([^%[%]]+)%]%[[^%[%]]*%]%]", "%[%[([^%[%]]+)%]%]", "<img%s[^>]*src=[\"']([^\"'>]+)[\"'][^>]*>", "!?%b[](%b())",
  '"([^"]+)"', "'([^']+)'", "`([^`]+)`", "([^%s\"'`<>]+)",
}

local endings = { jpg = true, jpeg = true, png = true, webp = true, heic = true, heif = true, avif = true }

-- The names in a line that the column is on, each with the column after the whole and whether it surely is one.
local function names(line, column)
  local found = {}
  -- A line can be a whole file.
  local offset = math.max(column - 2000, 0)
  line, column = line:sub(offset + 1, offset + 4000), column - offset
  -- Escaped brackets, in as many bytes, so that they pair with nothing.
  local text = line:gsub("\\%[", "\1\1"):gsub("\\%]", "\2\2")
  local function add(name, finish, is_sure)
    name = name:gsub("\1\1", "["):gsub("\2\2", "]"):gsub("^file:", ""):gsub("^//(/)", "%1")
    table.insert(found, { name = name, finish = offset + finish, is_sure = is_sure })
    local decoded = name:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
    if decoded ~= name then table.insert(found, { name = decoded, finish = offset + finish }) end
  end
  for index, pattern in ipairs(patterns) do
    local first, last, name = text:find(pattern)
    while first and last <= column do first, last, name = text:find(pattern, last + 1) end
    if first and first <= column + 1 then
      if index == 4 then
        name = name:sub(2, -2)
        name = name:match("^<(.-)>") or name:match("^(.-)%s+[\"']") or name
      elseif index <= 2 then
        name = name:gsub("::.*", "")
      end
      if index < #patterns then
        add(name, last, true)
      else
        local bare, mark = name:match("^%(*(.-)([).,;:!?]*)$")
        add(name, last)
        add(bare, last - #mark, endings[(bare:match("%.(%w+)$") or ""):lower()])
      end
    end
  end
  add(vim.trim(line:gsub("^%s*[-*+]%s", "")), #line)
  return found
end

--- The picture at the cursor: `path`, and `mark`, an extmark after its name. Or nil and a sentence.
function M.picture()
  local buffer = vim.api.nvim_get_current_buf()
  if vim.api.nvim_buf_get_name(buffer):find("^%a[%w+.-]+://") then
    return nil, "This buffer is not a file on this machine, and Atelier works with local files only."
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local refusal = "There is no picture at the cursor: put it on a path, or on a link to a picture."
  for _, each in ipairs(names(vim.api.nvim_get_current_line(), column)) do
    local is_remote = each.name:find("^%a[%w+.-]+://")
    local path = each.name:find("^[~/]") and absolute(each.name) or absolute(M.folder(buffer) .. "/" .. each.name)
    if not is_remote and each.name ~= "" and vim.fn.filereadable(path) == 1 then
      return { path = path, mark = M.mark(buffer, row - 1, each.finish) }
    elseif each.is_sure and not refusal:find("^“") then
      refusal = is_remote and ("“%s” is not a file on this machine."):format(each.name)
        or ("“%s” is not a file that can be read."):format(path)
    end
  end
  return nil, refusal
end

--- A position that moves with the text. The end of the cursor's line if none is given.
function M.mark(buffer, row, column)
  row = row or vim.api.nvim_win_get_cursor(0)[1] - 1
  column = column or #vim.api.nvim_buf_get_lines(buffer, row, row + 1, true)[1]
  return { buffer = buffer, id = vim.api.nvim_buf_set_extmark(buffer, namespace, row, column, {}) }
end

--- The language of links in the buffer, if text can be inserted there: "org", "markdown" or nil.
function M.language(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) then return nil end
  local options = vim.bo[buffer]
  return options.modifiable and not options.readonly and languages[options.filetype] or nil
end

--- Inserts lines at the mark. Returns whether that was possible.
function M.insert(mark, lines)
  local position = M.language(mark.buffer) and vim.api.nvim_buf_get_extmark_by_id(mark.buffer, namespace, mark.id, {}) or {}
  local row, column = unpack(position)
  if column == 0 then lines[1] = vim.trim(lines[1]) end
  if column == 0 and lines[1] == "" then table.remove(lines, 1) end
  return row ~= nil and pcall(vim.api.nvim_buf_set_text, mark.buffer, row, column, row, column, lines)
end

local function plain(text, language)
  text = text:gsub("%c", " ")
  if language == "org" then return (text:gsub("%[", "("):gsub("%]", ")")) end
  return (text:gsub("[\\`*_%[%]<>]", "\\%0"))
end

local function encoded(text, unsafe) return (text:gsub(unsafe, function(byte) return ("%%%02X"):format(byte:byte()) end)) end

--- `path` as it is written in `folder`, or nil if it is not in or below it.
function M.below(path, folder)
  folder = folder == "/" and folder or folder .. "/"
  return vim.startswith(path, folder) and path:sub(#folder + 1) or nil
end

--- A link to a picture, or its path where the buffer takes no links.
function M.picture_link(path, title, buffer)
  local language = M.language(buffer)
  if not language then return path end
  path = M.below(path, (M.folder(buffer))) or path
  if language == "org" then return ("[[file:%s]]"):format(path:gsub("%c", "?"):gsub("[%[%]]", "\\%0")) end
  return ("![%s](%s)"):format(plain(title, language), encoded(path, "[%c \"%%()<>\\#?]"))
end

--- A line of a list for each place: its name with a link to a map, and its address.
function M.place_list(places, language)
  return vim.tbl_map(function(place)
    local address = vim.tbl_filter(function(part) return part ~= "" end, {
      place.streetAddress1, place.streetAddress2 or "", place.city,
      vim.trim((place.state or "") .. " " .. (place.postalCode or "")), place.country or "",
    })
    local map = "https://www.openstreetmap.org/"
    if place.coordinate then
      local position = ("%.5f/%.5f"):format(place.coordinate.latitude, place.coordinate.longitude)
      map = map .. "?mlat=" .. position:gsub("/", "&mlon=") .. "#map=17/" .. position
    else
      map = map .. "search?query=" .. encoded(table.concat({ place.name, unpack(address) }, ", "), "[^%w._~-]")
    end
    local name = plain(place.name, language)
    local link = language == "org" and ("- [[%s][%s]]"):format(map, name) or ("- [%s](%s)"):format(name, map)
    return table.concat({ link, unpack(vim.tbl_map(function(part) return plain(part, language) end, address)) }, ", ")
  end, places)
end

return M
